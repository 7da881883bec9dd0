/** How large a model is, by the parameters that were counted in its file. */

const UNITS = ['', 'K', 'M', 'B', 'T'];

/** 134,515,008 parameters are "135M": three digits, in the largest unit that leaves at least 1 of it. */
export function parameterSize(parameters: number): string {
  let value = parameters;
  let unit = 0;
  // What rounds to 1000 is 1 of the next unit.
  for (; Number(value.toPrecision(3)) >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return `${Number(value.toPrecision(3))}${UNITS[unit]}`;
}

/**
 * "llama 135M Q4_1" of llama.cpp's "llama 256M Q4_1", which names a size after the number of layers. What does not look
 * like that stays as it is.
 */
export function countedDescription(description: string, architecture: string, parameters: number): string {
  const [own, size, ...type] = description.split(' ');
  if (own !== architecture || size === undefined || parameters <= 0) return description;
  const words = type.filter((word) => word !== '(guessed)' && word !== 'all');
  return [own, parameterSize(parameters), ...words].join(' ');
}
