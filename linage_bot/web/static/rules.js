// Each game in a few sentences.

export const RULES = {
  linage: [
    "Vertical and Horizontal share one kind of stone. On your turn pass, or place a stone in a free region; afterwards every region must still contain a line of three empty points.",
    "A region without a horizontal line is Vertical's, one without a vertical line is Horizontal's. Nobody plays there any more.",
    "Two passes in a row end the game. Whoever owns more points wins; Horizontal gets komi.",
  ],
  "linage-two-color": [
    "As Linage, but Vertical's stones are black and Horizontal's white, and any empty point is open to both as long as every region keeps a line.",
    "Your score is the number of your stones in groups next to a region you own; Horizontal gets komi.",
    "Two passes in a row end the game.",
  ],
  "linage-parity": [
    "Both place the same stones. Every region must fulfil the condition afterwards, and no stone may make the number of regions smaller.",
    "At the end First wins if the number of regions is odd, Second if it is even. Two passes in a row end the game.",
  ],
  leblin: [
    "Place a stone of your colour; there is no passing. A lifeline is a straight run of empty points from a stone to the edge or to a friendly stone. Enemy groups without any lifeline are removed; your own must keep one.",
    "A placement into the enemy's territory that removes exactly one group may not follow another such placement.",
    "From Second's first turn on, who alone has stones on the board has won; who cannot place has lost.",
  ],
  gardar: [
    "Pass or place a stone of your colour. An enclosure is an empty region that does not touch the edge; who has more stones around it controls it. Enemy stones next to an enclosure that you control die, unless they are also next to one that is theirs or shared.",
    "You score the stones of the loops around your holes, less all your other stones. Who passes first gets half a point, Second gets komi. Two passes in a row end the game.",
  ],
};
