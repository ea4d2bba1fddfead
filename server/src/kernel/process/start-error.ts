/**
 * The reason why Chancery cannot start, for the operator: the message is the one sentence that `main.ts` prints before it
 * exits with 1, without a stack. It names what is wrong and what would be right.
 */
export class StartError extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'StartError'
  }
}
