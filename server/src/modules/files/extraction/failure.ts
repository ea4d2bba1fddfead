/** Why a file could not be read. The code crosses from the child process to the server, which has the sentences. */

export type ExtractionProblem =
  | 'broken'
  | 'encrypted'
  | 'no_text'
  | 'scanned'
  | 'too_much_text'
  | 'too_large'
  | 'unsupported'

export class ExtractionFailure extends Error {
  readonly code: ExtractionProblem

  constructor(code: ExtractionProblem) {
    super(code)
    this.name = 'ExtractionFailure'
    this.code = code
  }
}
