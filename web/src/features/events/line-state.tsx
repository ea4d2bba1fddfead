/** Shows that the log is live, paused or disconnected, with a button to pause and resume. */
import { Pause, Play } from 'lucide-react'
import type { StreamState } from '#lib/http/follow-stream.ts'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'

interface LineStateProps {
  line: StreamState
  isPaused: boolean
  heldCount: number
  onPause: (isPaused: boolean) => void
}

export const streamLabels: Record<StreamState, string> = {
  connecting: 'Connecting…',
  open: 'Live',
  lost: 'Reconnecting…',
  refused: 'Offline',
}

export function LineState({ line, isPaused, heldCount, onPause }: LineStateProps) {
  const isLive = line === 'open' && !isPaused
  return (
    <div className="flex items-center gap-3 max-sm:flex-1 max-sm:justify-between">
      <span role="status" className="flex items-center gap-2 whitespace-nowrap text-soft text-sm">
        <span
          aria-hidden
          className={cx('size-2 rounded-full', isLive ? 'animate-breathe bg-ok' : isPaused ? 'bg-rule' : 'bg-warn')}
        />
        {isPaused ? 'Paused' : streamLabels[line]}
      </span>
      <Button size="small" icon={isPaused ? Play : Pause} onClick={() => onPause(!isPaused)}>
        {isPaused ? (heldCount > 0 ? `Resume, ${heldCount.toLocaleString('en')} new` : 'Resume') : 'Pause'}
      </Button>
    </div>
  )
}
