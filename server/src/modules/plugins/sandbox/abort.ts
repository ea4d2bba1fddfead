/** Events and abort signals, as far as `fetch` and timers need them. */

type Listener = (event: { type: string; target: unknown }) => void

export class Target {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #once = new WeakSet<Listener>()

  addEventListener(type: string, listener: Listener, options?: { once?: boolean }): void {
    const known = this.#listeners.get(type) ?? new Set()
    known.add(listener)
    if (options?.once) this.#once.add(listener)
    this.#listeners.set(type, known)
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  dispatchEvent(event: { type: string }): boolean {
    for (const listener of [...(this.#listeners.get(event.type) ?? [])]) {
      if (this.#once.has(listener)) this.removeEventListener(event.type, listener)
      listener({ ...event, target: this })
    }
    return true
  }
}

export class AbortProblem extends Error {
  override readonly name: string
  constructor(message = 'The operation was aborted.', name = 'AbortError') {
    super(message)
    this.name = name
  }
}

/** Set by the file that knows timers, which themselves need this one. */
let startTimer: (work: () => void, ms: number) => unknown = () => undefined
export const setTimer = (timer: typeof startTimer): void => {
  startTimer = timer
}

export class Signal extends Target {
  aborted = false
  reason: unknown = undefined
  onabort: Listener | null = null

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  static abort(reason: unknown = new AbortProblem()): Signal {
    const signal = new Signal()
    abortSignal(signal, reason)
    return signal
  }

  static timeout(ms: number): Signal {
    const signal = new Signal()
    startTimer(() => abortSignal(signal, new AbortProblem('The operation timed out.', 'TimeoutError')), ms)
    return signal
  }

  static any(signals: Iterable<Signal>): Signal {
    const joined = new Signal()
    for (const signal of signals) {
      const abort = () => abortSignal(joined, signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
    }
    return joined
  }
}

const abortSignal = (signal: Signal, reason: unknown): void => {
  if (signal.aborted) return
  signal.aborted = true
  signal.reason = reason
  const event = { type: 'abort' }
  signal.onabort?.({ ...event, target: signal })
  signal.dispatchEvent(event)
}

export class Controller {
  readonly signal = new Signal()

  abort(reason: unknown = new AbortProblem()): void {
    abortSignal(this.signal, reason)
  }
}
