/** The result of a locking mechanism: the lock, or the process that holds it (undefined when it does not say). */
export interface InstanceLock {
  release(): Promise<void>
}

export type LockAttempt = { lock: InstanceLock } | { heldBy: number | undefined }
