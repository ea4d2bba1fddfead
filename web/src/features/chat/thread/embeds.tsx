/**
 * Pages that a plugin put into a message. They run in a sandboxed frame without an origin: scripts, popups and
 * downloads, but no access to this page, its cookies or its storage. (Contract: Plugin events, rule 3.)
 */
import { ExternalLink } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { safeLink } from '../history/parts.ts'

const isAddress = /^(https?:)?\/\//
/** Served with a policy of its own: under this page's, the scripts of an embed would not run. */
const framePage = '/embed.html'
const shortest = 48
const tallest = 2000

export function Embeds({ embeds }: { embeds: readonly string[] }) {
  return embeds.map((embed, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: embeds are only appended or replaced as a whole
    <Embed key={`${index} ${embed}`} title={`Embedded content ${index + 1}`} embed={embed} />
  ))
}

/** The height that the frame asks for. A message counts only if it comes from that frame. */
function useFrameHeight() {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data?.type !== 'iframe:height' || typeof data.height !== 'number') return
      setHeight(Math.min(Math.max(Math.ceil(data.height), shortest), tallest))
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])
  return { frame, height }
}

function Embed({ title, embed }: { title: string; embed: string }) {
  const url = isAddress.test(embed) ? safeLink(new URL(embed, 'https://_').href) : undefined
  const { frame, height } = useFrameHeight()
  const isSent = useRef(false)
  const send = () => {
    // Once: a frame that went elsewhere gets nothing.
    if (url !== undefined || isSent.current) return
    isSent.current = true
    frame.current?.contentWindow?.postMessage({ html: embed }, '*')
  }
  return (
    <figure className="flex flex-col gap-1">
      <iframe
        ref={frame}
        title={title}
        src={url ?? framePage}
        sandbox="allow-scripts allow-popups allow-downloads"
        referrerPolicy="no-referrer"
        loading="lazy"
        onLoad={send}
        className="h-80 w-full rounded-panel border bg-white [color-scheme:light]"
        {...(height !== undefined && { style: { height } })}
      />
      {/* A link for when the frame stays empty, because of the page's own policy. */}
      {url !== undefined && (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="flex w-fit items-center gap-1.5 text-seal-text text-sm underline underline-offset-4"
        >
          <ExternalLink aria-hidden className="size-3.5" />
          {new URL(url).host}
        </a>
      )}
    </figure>
  )
}
