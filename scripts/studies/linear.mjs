/** Small dense symmetric matrices, as flat arrays of rows. */

export const dot = (a, b) => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
};
export const norm = (a) => Math.sqrt(dot(a, a));
export const plus = (a, b, times = 1) => a.map((value, i) => value + times * b[i]);

/** The weighted sum of xxᵀ over rows, plus lambda on the diagonal. */
export function gram(rows, lambda, weights) {
  const d = rows[0].length;
  const sum = new Float64Array(d * d);
  rows.forEach((x, row) => {
    const weight = weights ? weights[row] : 1;
    for (let i = 0; i < d; i++) {
      const scaled = weight * x[i];
      for (let j = 0; j <= i; j++) sum[i * d + j] += scaled * x[j];
    }
  });
  for (let i = 0; i < d; i++) {
    sum[i * d + i] += lambda;
    for (let j = 0; j < i; j++) sum[j * d + i] = sum[i * d + j];
  }
  return sum;
}

/** The lower triangular factor, or undefined where the matrix is not positive definite. */
export function cholesky(matrix) {
  const d = Math.sqrt(matrix.length);
  const factor = new Float64Array(d * d);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i * d + j];
      for (let k = 0; k < j; k++) rest -= factor[i * d + k] * factor[j * d + k];
      if (i === j && !(rest > 0)) return undefined;
      factor[i * d + j] = i === j ? Math.sqrt(rest) : rest / factor[j * d + j];
    }
  }
  return factor;
}

/** L⁻¹ v. */
export function forward(factor, v) {
  const d = v.length;
  const result = Float64Array.from(v);
  for (let i = 0; i < d; i++) {
    for (let k = 0; k < i; k++) result[i] -= factor[i * d + k] * result[k];
    result[i] /= factor[i * d + i];
  }
  return result;
}

/** L⁻ᵀ v. */
export function backward(factor, v) {
  const d = v.length;
  const result = Float64Array.from(v);
  for (let i = d - 1; i >= 0; i--) {
    for (let k = i + 1; k < d; k++) result[i] -= factor[k * d + i] * result[k];
    result[i] /= factor[i * d + i];
  }
  return result;
}

export const solve = (factor, v) => backward(factor, forward(factor, v));

/** The smallest eigenvalue of a matrix with this factor, and its direction, by inverse iteration. */
export function smallestEigenvalue(factor) {
  const d = Math.sqrt(factor.length);
  let vector = Float64Array.from({ length: d }, (_, i) => 1 + i / d);
  let size = norm(vector);
  for (let i = 0; i < 500; i++) {
    vector = solve(
      factor,
      vector.map((value) => value / size),
    );
    size = norm(vector);
  }
  return { value: 1 / size, vector: vector.map((value) => value / size) };
}
