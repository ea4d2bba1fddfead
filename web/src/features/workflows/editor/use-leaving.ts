/**
 * Nothing is lost on leaving. Within the app a change is still sent while the next page opens, so only what the server
 * refused is asked about; closing the window is asked about while anything is not saved.
 */
import { useBlocker } from '@tanstack/react-router'
import type { SaveState } from './state/draft-saver.ts'

export function useLeaving({ kind }: SaveState) {
  const isStuck = kind === 'conflict' || kind === 'failed'
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isStuck &&
      current.pathname !== next.pathname &&
      !window.confirm('Your last changes are not saved. Leave and lose them?'),
    enableBeforeUnload: () => kind !== 'saved',
  })
}
