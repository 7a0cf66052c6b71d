/** Checks the types of a request's fields. */

/** An error whose message says what is wrong with a request. */
export class RequestError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export function checkedText(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new RequestError(`${name} must be a string.`);
}

export function checkedNumber(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new RequestError(`${name} must be a non-negative integer.`);
}

const LONGEST_LIST = 2000;

export function checkedList(value: unknown, name: string): string[] {
  const isList = Array.isArray(value) && value.length <= LONGEST_LIST && value.every((one) => typeof one === 'string');
  if (isList) return value;
  throw new RequestError(`${name} must be a list of at most ${LONGEST_LIST} strings.`);
}

export function checkedName<Name extends string>(value: unknown, known: readonly Name[], name: string): Name {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new RequestError(`${name} must be one of ${known.join(', ')}.`);
}
