/** Request ids, so that a person can quote one and an operator can find it. Cheap, since every request gets one. */
import { randomBytes } from 'node:crypto'

/** A random prefix per process keeps the ids of several nodes apart. */
export const createRequestIds = (): (() => string) => {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
