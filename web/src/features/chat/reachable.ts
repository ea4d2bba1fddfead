/** For what scrolls: a keyboard must be able to reach it, though nothing in it can be pressed. */
export const reachable = { tabIndex: 0 } as const
