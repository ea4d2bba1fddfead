/**
 * Named points where a test makes the process fail: between two statements that must hold together, so that a test can
 * crash between them and check that nothing was lost or done twice. In production a failpoint is a call of an empty
 * function.
 */
export interface Failpoints {
  /** Throws, or never returns, where a test says so. */
  hit(point: string): void | Promise<void>
}

export const noFailpoints: Failpoints = { hit: () => undefined }
