/** Values that are mostly known already, such as a cached caller: waiting for a promise would cost a turn of the event loop. */
export type MaybeAsync<Value> = Value | Promise<Value>

/** Goes on at once where the value is known. Both may throw, or reject. */
export const andThen = <Value, Next>(
  value: MaybeAsync<Value>,
  next: (value: Value) => MaybeAsync<Next>,
): MaybeAsync<Next> => (value instanceof Promise ? value.then(next) : next(value))
