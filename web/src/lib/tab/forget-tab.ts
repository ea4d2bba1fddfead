/**
 * Clears state that belongs to one person but lives outside of React and the query cache: running work, uploads,
 * actions that can be undone. The page isn't reloaded when the person changes, so each of these registers how to drop it.
 */
const drops = new Set<() => void>()

export const onForget = (drop: () => void): void => void drops.add(drop)

/** Stops and drops everything, because what continued would be sent with the next person's session. */
export function forgetTab(): void {
  for (const drop of drops) drop()
}
