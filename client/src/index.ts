/** The client of Chancery's API. What can be called is in `@chancery/contract/endpoints`. */
export { ApiError, type LocalCode } from './api-error.ts'
export { Client, type ClientOptions, type Request } from './client.ts'
export { type CompletionFrame, streamCompletion } from './completions.ts'
export type { RetryOptions } from './retry.ts'
