/**
 * How far each pixel is from the edge of what is drawn, outside positive, inside negative: exact distances between pixels
 * (Felzenszwalb and Huttenlocher 2012), where a pixel that is partly covered moves the edge by its share.
 *
 * @param cover of each pixel, 0 to 1
 */
export function distancesTo(cover, width, height) {
  const outside = squares(cover, width, height, (share) => share);
  const inside = squares(cover, width, height, (share) => 1 - share);
  return outside.map((square, at) => Math.sqrt(square) - Math.sqrt(inside[at]));
}

const far = 1e12;

function squares(cover, width, height, shareOf) {
  const grid = Float64Array.from(cover, (value) => {
    const share = shareOf(value);
    if (share === 0) return far;
    return share === 1 ? 0 : Math.max(0, 0.5 - share) ** 2;
  });
  const line = new Float64Array(Math.max(width, height));
  for (let x = 0; x < width; x += 1) lowerEnvelope(grid, x, width, height, line);
  for (let y = 0; y < height; y += 1) lowerEnvelope(grid, y * width, 1, width, line);
  return grid;
}

/** Replaces a row or a column by the lowest of the parabolas that stand on its values. */
function lowerEnvelope(grid, start, step, length, line) {
  const stands = new Int32Array(length);
  const begins = new Float64Array(length + 1);
  for (let at = 0; at < length; at += 1) line[at] = grid[start + at * step];
  let last = 0;
  begins[0] = -Infinity;
  for (let at = 1; at < length; at += 1) {
    let meet = crossing(line, stands[last], at);
    while (meet <= begins[last]) {
      last -= 1;
      meet = crossing(line, stands[last], at);
    }
    last += 1;
    stands[last] = at;
    begins[last] = meet;
  }
  begins[last + 1] = Infinity;
  for (let at = 0, piece = 0; at < length; at += 1) {
    while (begins[piece + 1] < at) piece += 1;
    grid[start + at * step] = line[stands[piece]] + (at - stands[piece]) ** 2;
  }
}

function crossing(line, left, right) {
  return (line[right] - line[left] + right * right - left * left) / (2 * (right - left));
}
