/**
 * Hands cases to an evaluating thread, one job after the other. A message to a thread and back costs more than most
 * expressions, so requests that wait at the same moment, as those of many runs do, share a job.
 */
import { type Case, type Cases, casesOf, type Verdict } from './worker-jobs.ts'

/** A job ends with the request that reaches one of these: the thread holds all values of a job at once. */
const maxCases = 1000
const maxLength = 1_048_576

interface Request {
  cases: readonly Case[]
  resolve(verdicts: Verdict[]): void
  reject(problem: unknown): void
}

/** Removes the requests of the next job, at least one. */
const takeRequests = (waiting: Request[]): Request[] => {
  let [taken, cases, length] = [0, 0, 0]
  for (const request of waiting) {
    taken += 1
    cases += request.cases.length
    for (const group of new Set(request.cases.map((one) => one.group))) length += group.values.length
    if (cases >= maxCases || length >= maxLength) break
  }
  return waiting.splice(0, taken)
}

/** `work` answers one verdict for each case, in order. */
export const createJobQueue = (work: (cases: readonly Case[]) => Promise<Verdict[]>) => {
  const waiting: Request[] = []
  let isWorking = false

  const workNext = async (): Promise<void> => {
    const requests = takeRequests(waiting)
    try {
      const verdicts = await work(requests.flatMap(({ cases }) => cases))
      let next = 0
      for (const { cases, resolve } of requests) {
        resolve(verdicts.slice(next, next + cases.length))
        next += cases.length
      }
    } catch (problem) {
      for (const { reject } of requests) reject(problem)
    }
  }
  const workAll = async (): Promise<void> => {
    while (waiting.length > 0) await workNext()
    isWorking = false
  }
  return (request: Cases): Promise<Verdict[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ cases: casesOf(request), resolve, reject })
      if (isWorking) return
      isWorking = true
      // At the end of this turn of the event loop, so that the runs of one dispatch go together.
      setImmediate(() => void workAll())
    })
}
