// Plays one game against a GTP engine as Sabaki does, and prints what it saw as JSON.
//
//     node play.js stdio PROGRAM ARGUMENT...
//     node play.js tcp PORT

const net = require('net')
const {Controller, ControllerStateTracker, StreamController} = require('@sabaki/gtp')

const [kind, ...rest] = process.argv.slice(2)
const letters = 'BW'

async function connect() {
  if (kind === 'stdio') {
    let controller = new Controller(rest[0], rest.slice(1))
    controller.on('stderr', ({content}) => process.stderr.write(content + '\n'))
    controller.start()
    return {
      controller,
      // stop() resolves when the process is gone, whatever its status; no answer to quit kills it.
      stop: () => controller.stop(60000)
    }
  }
  let socket = net.connect(+rest[0], '127.0.0.1')
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let controller = new StreamController(socket, socket)
  return {
    controller,
    stop: async () => {
      let ended = new Promise(resolve => socket.once('end', resolve))
      await ask(controller, 'quit')
      await ended
    }
  }
}

async function ask(controller, name, ...args) {
  let {content, error} = await controller.sendCommand({name, args})
  if (error) throw new Error(`${name} ${args.join(' ')}: ${content}`)
  return content
}

// Analysis streams until the next command, which is sent after some lines.
async function analyze(controller, wanted) {
  let lines = []
  let next = null
  let analysis = controller.sendCommand({name: 'lz-analyze', args: ['B', '1']}, ({line}) => {
    if (line.startsWith('info ') && lines.push(line) === wanted) {
      next = ask(controller, 'name')
    }
  })
  let {error} = await analysis
  return {error: error || false, lines, next: await next}
}

async function main() {
  let {controller, stop} = await connect()
  let tracker = new ControllerStateTracker(controller)
  let seen = {name: await ask(controller, 'name'), version: await ask(controller, 'version')}
  seen.knows = await tracker.knowsCommand('lz-genmove_analyze')
  await tracker.sync({komi: 6.5, boardsize: [5, 5], history: []})
  seen.refused = await controller.sendCommand({name: 'play', args: ['B', 'I5']})
  seen.analysis = await analyze(controller, 3)
  seen.moves = []
  for (let passes = 0; passes < 2 && seen.moves.length < 200; ) {
    let move = await ask(controller, 'genmove', letters[seen.moves.length % 2])
    seen.moves.push(move)
    passes = move === 'pass' ? passes + 1 : 0
  }
  seen.score = await ask(controller, 'final_score')
  // As when the user goes back some moves and plays others: Sabaki undoes, or replays the rest.
  let play = (move, index) => ({name: 'play', args: [letters[index % 2], move]})
  await tracker.sync({history: seen.moves.slice(0, -4).map(play)})
  seen.mover = await ask(controller, 'gogui-rules_side_to_move')
  await tracker.sync({boardsize: [7, 5], history: [play('A1', 0), play('G5', 1)]})
  seen.board = await ask(controller, 'gogui-rules_board')
  await stop()
  console.log(JSON.stringify(seen))
}

main().then(
  () => process.exit(0),
  error => {
    console.error(error)
    process.exit(1)
  }
)
