/**
 * Named places where a test makes the process fail. In production nothing is ever armed, and a place costs one call of
 * an empty function. They stand between two statements that must hold together, so that a test can crash between every
 * pair and then look whether anything was lost or done twice.
 */
export interface Failpoints {
  /** Throws, or never returns, where a test says so. */
  hit(place: string): void | Promise<void>
}

export const noFailpoints: Failpoints = { hit: () => undefined }
