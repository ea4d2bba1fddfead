/**
 * The virtualized conversation: only rows near the viewport are rendered. It follows the end while the reader is there,
 * and stays put when they have scrolled up.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { type Row, rowsOf } from '../history/rows.ts'
import type { History } from '../history/tree.ts'
import { QuestionContext } from '../markdown/source-ref.tsx'
import { reachable } from '../reachable.ts'
import { Announcer } from './announcer.tsx'
import { ReplyRow } from './reply-row.tsx'
import { UserRow } from './user-row.tsx'

/** Closer to the end than this counts as being there. */
const endPx = 80

const distanceFromEnd = ({ scrollHeight, scrollTop, clientHeight }: Element) => scrollHeight - scrollTop - clientHeight

/** An estimate until a row is measured; about eighty characters per line. */
const estimate = (row: Row | undefined): number => {
  const message = row?.kind === 'reply' ? row.columns[0]?.message : row?.message
  return 90 + Math.ceil((message?.content.length ?? 0) / 80) * 26
}

interface ThreadProps {
  history: History
  /** Increments when the reader sends something: then the thread scrolls to the end. */
  jump?: number
  /** A shared chat is read from its beginning; an own one continues at its end. */
  opensAt?: 'start' | 'end'
  /** Called as the reader comes near the first message that is here, while there are earlier ones. */
  onEarlier?: (() => void) | undefined
}

/** Rows above the view when earlier ones are loaded. */
const rowsAhead = 10

export function Thread({ history, jump = 0, opensAt = 'end', onEarlier }: ThreadProps) {
  const rows = useMemo(() => rowsOf(history), [history])
  const elementRef = useRef<HTMLElement>(null)
  const isAtEnd = useRef(opensAt === 'end')
  const [isAway, setAway] = useState(false)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => elementRef.current,
    estimateSize: (index) => estimate(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    anchorTo: opensAt,
    followOnAppend: opensAt === 'end',
    scrollEndThreshold: endPx,
    overscan: 4,
    paddingStart: 24,
    paddingEnd: 24,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: on opening, and each time the reader sends
  useLayoutEffect(() => {
    if (opensAt === 'end') virtualizer.scrollToEnd()
  }, [jump])
  useEffect(() => {
    if (opensAt === 'start') return
    // The first heights are estimates; once measured, the end has moved.
    const frame = requestAnimationFrame(() => virtualizer.scrollToEnd())
    return () => cancelAnimationFrame(frame)
  }, [virtualizer, opensAt])

  // An opening keyboard or a smaller window must not hide the end while it is being read.
  useEffect(() => {
    const field = elementRef.current
    if (!field) return
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) virtualizer.scrollToEnd()
    })
    observer.observe(field)
    return () => observer.disconnect()
  }, [virtualizer])

  const items = virtualizer.getVirtualItems()
  const isNearStart = isAway && (items[0]?.index ?? rowsAhead) < rowsAhead
  useEffect(() => {
    if (isNearStart) onEarlier?.()
  }, [isNearStart, onEarlier])
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={elementRef}
        {...reachable}
        aria-label="Conversation"
        onScroll={({ currentTarget }) => {
          isAtEnd.current = distanceFromEnd(currentTarget) <= endPx
          setAway(!isAtEnd.current)
        }}
        className="h-full overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
      >
        <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
          <div className="absolute inset-x-0 top-0" style={{ translate: `0 ${items[0]?.start ?? 0}px` }}>
            {items.map(({ index, key }) => (
              <div key={key} ref={virtualizer.measureElement} data-index={index} className="pb-5">
                <ThreadRow row={rows[index]} question={questionAt(rows, index)} isLast={index === rows.length - 1} />
              </div>
            ))}
          </div>
        </div>
      </section>
      {isAway && (
        // A button has a position of its own, so its wrapper is the one that floats above the end of the thread.
        <div className="-translate-x-1/2 absolute bottom-3 left-1/2">
          <Button
            size="small"
            icon={ArrowDown}
            className="animate-rise rounded-full shadow-float"
            onClick={() => virtualizer.scrollToEnd()}
          >
            Jump to latest
          </Button>
        </div>
      )}
      <Announcer rows={rows} />
    </div>
  )
}

const questionAt = (rows: readonly Row[], index: number): string => {
  const asked = rows[index - 1]
  return asked?.kind === 'user' ? asked.message.content : ''
}

interface ThreadRowProps {
  row: Row | undefined
  question: string
  isLast: boolean
}

function ThreadRow({ row, question, isLast }: ThreadRowProps) {
  if (!row) return null
  const isCompared = row.kind === 'reply' && row.columns.length > 1
  return (
    <div className={cx('mx-auto w-full px-4 sm:px-6', isCompared ? 'max-w-6xl' : 'max-w-[40rem]')}>
      {row.kind === 'user' ? (
        <UserRow row={row} />
      ) : (
        <QuestionContext value={question}>
          <ReplyRow row={row} isLast={isLast} />
        </QuestionContext>
      )}
    </div>
  )
}
