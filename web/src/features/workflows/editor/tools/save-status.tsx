/** The save status in two words, with a retry if saving failed. */
import { CircleAlert, CloudCheck, LoaderCircle } from 'lucide-react'
import { counted } from '#lib/text/counted.ts'
import { Button } from '#ui/button/button.tsx'
import type { SaveState } from '../state/draft-saver.ts'

/** On a phone, an icon alone means saved. */
const quiet = 'text-faint max-sm:[&>span]:sr-only'
const words = {
  saved: { text: 'Saved', icon: CloudCheck, look: quiet },
  changed: { text: 'Saving…', icon: LoaderCircle, look: quiet },
  saving: { text: 'Saving…', icon: LoaderCircle, look: quiet },
  conflict: { text: 'Not saved: conflict', icon: CircleAlert, look: 'text-bad' },
  failed: { text: 'Not saved', icon: CircleAlert, look: 'text-bad' },
}

const wordsOf = ({ kind }: SaveState, draftCount: number) =>
  kind === 'saved' && draftCount > 0
    ? { text: `${counted(draftCount, 'field')} not saved`, icon: CircleAlert, look: 'text-warn' }
    : words[kind]

interface SaveStatusProps {
  state: SaveState
  /** The number of fields with text that can't be applied: the rest may be saved, these aren't. */
  draftCount: number
  onRetry: () => void
}

export function SaveStatus({ state, draftCount, onRetry }: SaveStatusProps) {
  const { text, icon: Icon, look } = wordsOf(state, draftCount)
  return (
    <div className="flex items-center gap-2">
      <p role="status" className={`flex items-center gap-1.5 whitespace-nowrap text-sm ${look}`}>
        <Icon aria-hidden className="size-3.5" />
        <span>{text}</span>
      </p>
      {state.kind === 'failed' && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
