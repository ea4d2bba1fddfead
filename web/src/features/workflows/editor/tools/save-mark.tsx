/** Whether what one sees is on the server, in two words; and where it is not, what can be done. */
import { CircleAlert, CloudCheck, LoaderCircle } from 'lucide-react'
import { Button } from '#ui/button.tsx'
import type { SaveState } from '../state/draft-saver.ts'

const words = {
  saved: { text: 'Saved', icon: CloudCheck, look: 'text-faint' },
  changed: { text: 'Saving', icon: LoaderCircle, look: 'text-faint' },
  saving: { text: 'Saving', icon: LoaderCircle, look: 'text-faint' },
  conflict: { text: 'Not saved: conflict', icon: CircleAlert, look: 'text-bad' },
  failed: { text: 'Not saved', icon: CircleAlert, look: 'text-bad' },
} as const

export function SaveMark({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  const { text, icon: Icon, look } = words[state.kind]
  return (
    <div className="flex items-center gap-2">
      <p role="status" className={`flex items-center gap-1.5 whitespace-nowrap text-sm ${look}`}>
        <Icon aria-hidden className="size-3.5" />
        <span className={state.kind === 'failed' || state.kind === 'conflict' ? '' : 'max-sm:sr-only'}>{text}</span>
      </p>
      {state.kind === 'failed' && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
