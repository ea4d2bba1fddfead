/** Names for requests, so that a person can quote one and an operator can find it. Cheap: every request gets one. */
import { randomBytes } from 'node:crypto'

/** The process's own random beginning keeps the names of several nodes apart. */
export const createRequestIds = (): (() => string) => {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
