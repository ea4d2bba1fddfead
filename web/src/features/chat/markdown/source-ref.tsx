/** A citation mark with a popover for its passage. */
import { ExternalLink, FileText } from 'lucide-react'
import { createContext, type ReactNode, use, useLayoutEffect, useRef } from 'react'
import { matchedParts } from '#lib/text/matched-words.ts'
import { HrefLink } from '#ui/button/href-link.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { MarkedText } from '#ui/values/marked-text.tsx'
import type { Source } from '../history/parts.ts'
import { reachable } from '../reachable.ts'

export const SourcesContext = createContext<readonly Source[]>([])
/** The person's question: its words are marked in the passages. */
export const QuestionContext = createContext('')

export function SourceRef(props: Record<string, unknown>) {
  const sources = use(SourcesContext)
  const number = Number(props.number)
  const source = sources[number - 1]
  if (!source) return `[${number}]`
  return (
    <SourcePopover source={source}>
      <button type="button" className="source-ref" aria-label={`Source ${number}: ${source.name}`}>
        {number}
      </button>
    </SourcePopover>
  )
}

export function SourcePopover({ source, children }: { source: Source; children: ReactNode }) {
  return (
    <Popover label={source.name} trigger={children} side="top" align="center" className="w-80 max-w-[calc(100vw-2rem)]">
      <SourceSheet source={source} />
    </Popover>
  )
}

/** Shown above the first word that matched. */
const leadPx = 48

function SourceSheet({ source: { name, url, fileId, passages } }: { source: Source }) {
  const question = use(QuestionContext)
  const scroller = useRef<HTMLElement>(null)
  // A passage may be long, and what matched far down in it.
  useLayoutEffect(() => {
    const mark = scroller.current?.querySelector('mark')
    if (scroller.current && mark) scroller.current.scrollTop = mark.offsetTop - scroller.current.offsetTop - leadPx
  }, [])
  return (
    <div className="flex max-h-80 flex-col">
      <p className="border-b px-4 py-3 font-serif text-md [overflow-wrap:anywhere]">{name}</p>
      <section
        ref={scroller}
        {...reachable}
        aria-label="Passage"
        className="flex flex-col gap-3 overflow-y-auto px-4 py-3"
      >
        {passages.length === 0 && <p className="text-faint text-sm">No passage available for this source.</p>}
        {passages.map((passage, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the passages of one source never reorder
          <div key={index}>
            {passage.position !== '' && <p className="mb-1 text-faint text-xs">{passage.position}</p>}
            <p className="whitespace-pre-wrap text-sm text-soft [overflow-wrap:anywhere]">
              <MarkedText parts={matchedParts(passage.text, question)} />
            </p>
          </div>
        ))}
      </section>
      {url === undefined && fileId !== undefined && (
        <HrefLink
          href={`/knowledge/files?file=${fileId}`}
          className="flex items-center gap-2 border-t px-4 py-2.5 text-seal-text text-sm hover:bg-sunken"
        >
          <FileText aria-hidden className="size-3.5 shrink-0" />
          Open file
        </HrefLink>
      )}
      {url !== undefined && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="flex items-center gap-2 border-t px-4 py-2.5 text-seal-text text-sm hover:bg-sunken"
        >
          <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          <span className="truncate">{new URL(url).host}</span>
        </a>
      )}
    </div>
  )
}
