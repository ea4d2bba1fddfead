/**
 * The models of one connection, held in memory. Read again in the background once they have aged; a reading that fails
 * leaves what there was, and the next attempt waits longer each time. Nobody but who asks for it waits for a reading.
 */
import type { Clock } from '#kernel/clock.ts'
import type { ListedModel } from './drivers/driver.ts'

const freshMs = 60_000
const firstRetryMs = 2000

interface Options {
  read(): Promise<ListedModel[]>
  clock: Clock
  /** What an earlier life of the connection knew. */
  known: readonly ListedModel[] | undefined
  /** After each reading, failed or not. */
  onRead(): void
}

export interface ModelList {
  /** Undefined until a first reading has succeeded. */
  readonly models: readonly ListedModel[] | undefined
  /** When the last reading ended; null before the first. */
  readonly checkedAt: Date | null
  /** Why the last reading failed. */
  readonly problem: unknown
  /** When it should be read again, in Unix milliseconds; not while it is being read. */
  readonly nextReadAt: number
  /** One reading at a time: who comes during one shares it. What is younger than `minAgeMs` is not read again. Never throws. */
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
