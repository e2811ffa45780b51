// The texts that stand out less than 4.5 to 1 from what is behind them.
() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const light = (rgb) => rgb
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const colour = rgba(getComputedStyle(each).backgroundColor);
      layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!text || !element.checkVisibility({opacityProperty: true}) || element.closest(':disabled, option, .unseen')) continue;
    if (document.querySelector('dialog[open]') && !element.closest('dialog')) continue;
    const style = getComputedStyle(element);
    let below = ground(element);
    let ink = style.color;
    if (element.namespaceURI.endsWith('svg')) {
      ink = style.fill;
      const shape = element.parentElement.querySelector('rect, circle');
      if (shape && element.closest('.mark')) {
        const fill = rgba(getComputedStyle(shape).fill);
        const solid = fill[3] * Number(getComputedStyle(shape).fillOpacity);
        below = over([fill[0], fill[1], fill[2], solid], rgba(getComputedStyle(document.querySelector('.ground')).fill));
      }
    }
    const [one, two] = [light(over(rgba(ink), below)), light(below)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    if (ratio < 4.5) faint.push(`${element.tagName} ${element.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return faint;
}
