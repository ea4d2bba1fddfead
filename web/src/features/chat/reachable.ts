/** For scrollable content without controls: makes it reachable by keyboard. */
export const reachable = { tabIndex: 0 } as const
