/** One request and its reply on a connection of the pool. */
import type { Dispatcher } from 'undici'
import { ReplyBody } from './reply-body.ts'

type Controller = Dispatcher.DispatchController
type Headers = Record<string, string | string[] | undefined>

export interface Head {
  status: number
  headers: Headers
  body: ReplyBody
}

interface Options {
  maxBytes: number
  explain(problem: unknown): Error
  onHead(head: Head): void
  /** Instead of a head. */
  onFailure(problem: unknown): void
}

export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: Options
  #controller: Controller | undefined
  #body: ReplyBody | undefined
  #cutReason: Error | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Ends the request at any stage, also while it waits for a connection. */
  cut(reason: Error): void {
    if (this.#cutReason) return
    this.#cutReason = reason
    if (this.#body) this.#body.fail(reason)
    else this.#options.onFailure(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#cutReason) controller.abort(this.#cutReason)
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    if (status < 200 || this.#cutReason) return
    const { maxBytes, explain, onHead } = this.#options
    this.#body = new ReplyBody({ controller, maxBytes, explain })
    onHead({ status, headers, body: this.#body })
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#body && !this.#body.accept(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#body?.finish()
  }

  onResponseError(_controller: Controller, problem: Error): void {
    if (this.#body) this.#body.fail(problem)
    else if (!this.#cutReason) this.#options.onFailure(problem)
  }
}
