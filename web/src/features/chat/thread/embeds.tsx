/** Pages that a plugin put into a message, each in a sandboxed frame. (Contract: Plugin events, rule 3.) */
import { ExternalLink } from 'lucide-react'
import { safeLink } from '../history/parts.ts'
import { frameSandbox, SandboxFrame, useFrameHeight } from './sandbox-frame.tsx'

const isAddress = /^(https?:)?\/\//
const frameLook = 'h-80 w-full rounded-panel border bg-white [color-scheme:light]'

export function Embeds({ embeds }: { embeds: readonly string[] }) {
  return embeds.map((embed, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: embeds are only appended or replaced as a whole
    <Embed key={`${index} ${embed}`} title={`Embedded content ${index + 1}`} embed={embed} />
  ))
}

function Embed({ title, embed }: { title: string; embed: string }) {
  const url = isAddress.test(embed) ? safeLink(new URL(embed, 'https://_').href) : undefined
  return (
    <figure className="flex flex-col gap-1">
      {url === undefined ? (
        <SandboxFrame title={title} html={embed} className={frameLook} isFitted />
      ) : (
        <LinkedPage title={title} url={url} />
      )}
    </figure>
  )
}

function LinkedPage({ title, url }: { title: string; url: string }) {
  const { frame, height } = useFrameHeight()
  return (
    <>
      <iframe
        ref={frame}
        title={title}
        src={url}
        sandbox={frameSandbox}
        referrerPolicy="no-referrer"
        loading="lazy"
        className={frameLook}
        {...(height !== undefined && { style: { height } })}
      />
      {/* A link for when the frame stays empty, because of the page's own policy. */}
      <a
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        className="flex w-fit items-center gap-1.5 text-seal-text text-sm underline underline-offset-4"
      >
        <ExternalLink aria-hidden className="size-3.5" />
        {new URL(url).host}
      </a>
    </>
  )
}
