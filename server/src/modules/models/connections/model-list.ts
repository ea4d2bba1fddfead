/**
 * The models of one connection, in memory. Refreshed in the background once they are a minute old; a failed read keeps the
 * old list, and the next attempt waits longer each time. Only callers of `refresh` wait for a read.
 */
import type { Clock } from '#kernel/clock.ts'
import type { ListedModel } from '../drivers/driver.ts'

const freshMs = 60_000
const firstRetryMs = 2000

interface Options {
  read(): Promise<ListedModel[]>
  clock: Clock
  /** The list of the connection's previous instance. */
  known: readonly ListedModel[] | undefined
  /** After each reading, failed or not. */
  onRead(): void
}

export interface ModelList {
  /** Undefined until the first successful read. */
  readonly models: readonly ListedModel[] | undefined
  /** When the last reading ended; null before the first. */
  readonly checkedAt: Date | null
  /** Why the last reading failed. */
  readonly problem: unknown
  /** When it should be read again, in Unix milliseconds; not while it is being read. */
  readonly nextReadAt: number
  /** One read at a time: concurrent callers share it. A list younger than `minAgeMs` is not read again. Never throws. */
  refresh(minAgeMs: number): Promise<void>
}

export const createModelList = ({ read, clock, known, onRead }: Options): ModelList => {
  let models = known
  let checkedAt: Date | null = null
  let problem: unknown
  let failures = 0
  let nextReadAt = 0
  let reading: Promise<void> | undefined

  const readOnce = async (): Promise<void> => {
    try {
      models = await read()
      problem = undefined
      failures = 0
    } catch (failure) {
      problem = failure
      failures += 1
    }
    checkedAt = clock.now()
    nextReadAt =
      checkedAt.getTime() + (failures === 0 ? freshMs : Math.min(firstRetryMs * 2 ** (failures - 1), freshMs))
    reading = undefined
    onRead()
  }

  return {
    get models() {
      return models
    },
    get checkedAt() {
      return checkedAt
    },
    get problem() {
      return problem
    },
    get nextReadAt() {
      return reading ? Number.POSITIVE_INFINITY : nextReadAt
    },
    refresh: (minAgeMs) => {
      if (reading) return reading
      const isYoung = checkedAt !== null && clock.now().getTime() - checkedAt.getTime() < minAgeMs
      if (isYoung) return Promise.resolve()
      reading = readOnce()
      return reading
    },
  }
}
