/** What the server's thread works for: set at the doors, and carried through whatever a door's work waits for. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Mark {
  /** Few and fixed: a route, a job's name, a kind of node. */
  readonly what: string
  /** A scope or an account. */
  readonly owner?: string | undefined
  /** True for the work of one request: what it holds counts as held by its owner. */
  readonly isRequest?: true
}

const marks = new AsyncLocalStorage<Mark>()

export const withMark = <Result>(mark: Mark, work: () => Result): Result => marks.run(mark, work)

/** For the rest of the work that has begun, and what follows from it. */
export const enterMark = (mark: Mark): void => marks.enterWith(mark)

/** The scope or account whose request the current work belongs to. */
export const requester = (): string | undefined => {
  const mark = marks.getStore()
  return mark?.isRequest ? mark.owner : undefined
}

/** Asked by the watching thread while this one is blocked. The name of the question is its `questionName`. */
export const answerQuestions = (questionName: string): void => {
  const answer = (): string => {
    const { stack = '' } = new Error()
    const { what = 'unknown', owner = null } = marks.getStore() ?? {}
    return JSON.stringify({ what, owner, stack: stack.split('\n').slice(2, 14) })
  }
  Object.defineProperty(globalThis, questionName, { value: answer, configurable: true })
}
