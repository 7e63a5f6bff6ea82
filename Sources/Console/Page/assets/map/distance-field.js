// @ts-check

/**
 * A signed distance field: how far each pixel is from the edge of what is drawn, outside positive, inside negative. Exact
 * Euclidean distances (Felzenszwalb and Huttenlocher 2012); a partly covered pixel moves the edge by its share.
 *
 * @param {Float64Array} coverage of each pixel, 0 to 1, row by row
 * @param {number} width
 * @param {number} height
 */
export function signedDistances(coverage, width, height) {
  const outside = squaredDistances(coverage, width, height);
  const inside = squaredDistances(coverage.map((share) => 1 - share), width, height);
  return outside.map((square, index) => Math.sqrt(square) - Math.sqrt(inside[index]));
}

/** Stands for infinity where no pixel is covered. */
const infinity = 1e12;

/**
 * @param {Float64Array} coverage
 * @param {number} width
 * @param {number} height
 */
function squaredDistances(coverage, width, height) {
  const grid = coverage.map((share) => {
    if (share === 0) return infinity;
    return share === 1 ? 0 : Math.max(0, 0.5 - share) ** 2;
  });
  for (let x = 0; x < width; x += 1) transformLine(grid, x, width, height);
  for (let y = 0; y < height; y += 1) transformLine(grid, y * width, 1, width);
  return grid;
}

/**
 * Replaces a row or a column by the lower envelope of the parabolas at its values.
 *
 * @param {Float64Array} grid
 * @param {number} start
 * @param {number} step
 * @param {number} length
 */
function transformLine(grid, start, step, length) {
  const line = Float64Array.from({ length }, (_, index) => grid[start + index * step]);
  const { vertices, starts } = lowerEnvelope(line);
  for (let index = 0, parabola = 0; index < length; index += 1) {
    while (starts[parabola + 1] < index) parabola += 1;
    const vertex = vertices[parabola];
    grid[start + index * step] = line[vertex] + (index - vertex) ** 2;
  }
}

/**
 * @param {Float64Array} line
 * @returns {{vertices: number[], starts: number[]}} the parabolas of the envelope, and where each begins to be the lowest
 */
function lowerEnvelope(line) {
  const vertices = [0];
  const starts = [-Infinity];
  for (let index = 1; index < line.length; index += 1) {
    let start = intersection(line, vertices[vertices.length - 1], index);
    while (start <= starts[starts.length - 1]) {
      vertices.pop();
      starts.pop();
      start = intersection(line, vertices[vertices.length - 1], index);
    }
    vertices.push(index);
    starts.push(start);
  }
  return { vertices, starts };
}

/**
 * @param {Float64Array} line
 * @param {number} left
 * @param {number} right
 */
function intersection(line, left, right) {
  return (line[right] - line[left] + right * right - left * left) / (2 * (right - left));
}
