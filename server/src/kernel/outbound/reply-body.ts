/**
 * The body of a reply on its way from the socket. It is read in one of two ways, and only once: as a stream, or whole.
 * The machinery of streams is for those who stream: most replies are gathered, and never become one.
 */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors.ts'

interface Options {
  controller: Dispatcher.DispatchController
  maxBytes: number
  /** Tells failures in our words. */
  explain(problem: unknown): Error
}

interface Gathering {
  maxBytes: number
  resolve(all: Buffer): void
  reject(problem: Error): void
}

/** As far as it is taken from the socket before anybody reads. */
const aheadBytes = 64 * 1024

export class ReplyBody {
  readonly #options: Options
  #left: number
  #kept: Buffer[] = []
  #keptBytes = 0
  #isWhole = false
  #isClosed = false
  #failure: Error | undefined
  #onClose: (() => void) | undefined
  #gathering: Gathering | undefined
  #stream: BodyStream | undefined

  constructor(options: Options) {
    this.#options = options
    this.#left = options.maxBytes
  }

  /** Called once, when it has ended or was cut; at once where that has happened. */
  whenClosed(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#onClose = listener
  }

  /** False when the reader is behind. */
  accept(chunk: Buffer): boolean {
    if (this.#isClosed) return true
    this.#left -= chunk.length
    if (this.#left < 0) return this.#refuse()
    if (this.#stream) return this.#stream.push(chunk)
    this.#kept.push(chunk)
    this.#keptBytes += chunk.length
    if (!this.#gathering) return this.#keptBytes < aheadBytes
    return this.#keptBytes <= this.#gathering.maxBytes || this.#refuse()
  }

  finish(): void {
    this.#isWhole = true
    if (this.#isClosed) return
    if (this.#gathering) this.#hand(this.#gathering)
    else this.#stream?.push(null)
  }

  /** Also for who comes to read afterwards. */
  fail(problem: unknown): void {
    if (this.#isClosed) return
    const explained = this.#options.explain(problem)
    if (this.#stream) this.#stream.destroy(explained)
    else this.close(explained)
  }

  /** Takes the connection along when the body is not wanted to its end. */
  close(problem?: Error): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#failure = problem
    this.#kept = []
    this.#stream?.destroy(problem)
    if (!this.#isWhole) this.#options.controller.abort(problem ?? new Error('The reader has left.'))
    this.#gathering?.reject(problem ?? new AppError('outbound_failed'))
    this.#onClose?.()
  }

  gather(maxBytes: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#stream) {
        reject(this.#failure ?? new AppError('outbound_failed'))
        return
      }
      this.#gathering = { maxBytes, resolve, reject }
      if (this.#keptBytes > maxBytes) this.#refuse()
      else if (this.#isWhole) this.#hand(this.#gathering)
      else this.#options.controller.resume()
    })
  }

  stream(): Readable {
    if (this.#stream) return this.#stream
    const stream = new BodyStream(this, this.#options)
    for (const chunk of this.#kept) stream.push(chunk)
    this.#kept = []
    if (this.#isClosed) stream.destroy(this.#failure)
    else if (this.#isWhole) stream.push(null)
    this.#stream = stream
    return stream
  }

  #refuse(): true {
    this.fail(new AppError('outbound_too_large'))
    return true
  }

  #hand({ resolve }: Gathering): void {
    const [first, ...more] = this.#kept
    resolve(first && more.length === 0 ? first : Buffer.concat(this.#kept, this.#keptBytes))
    this.#gathering = undefined
    this.close()
  }
}

/** A failure that nobody listens for has nobody to tell. */
class BodyStream extends Readable {
  readonly #body: ReplyBody
  readonly #options: Options

  constructor(body: ReplyBody, options: Options) {
    super()
    this.#body = body
    this.#options = options
    this.on('error', ignore)
  }

  override _read(): void {
    this.#options.controller.resume()
  }

  /** Here and not in `_destroy`, so that a reader who comes after the failure also finds it explained. */
  override destroy(problem?: Error): this {
    return super.destroy(problem && this.#options.explain(problem))
  }

  override _destroy(problem: Error | null, done: (problem?: Error | null) => void): void {
    this.#body.close(problem ?? undefined)
    done(problem)
  }
}

const ignore = (): void => undefined
