/** Pages that a plugin put into a message, each in a sandboxed frame. (Contract: Plugin events, rule 3.) */
import { ExternalLink } from 'lucide-react'
import { use, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { safeLink } from '../history/parts.ts'
import { frameSandbox, SandboxFrame, useFrameHeight } from '../preview/sandbox-frame.tsx'
import { SharedFilesContext } from './thread-context.ts'

const isAddress = /^(https?:)?\/\//
const frameLook = 'h-80 w-full rounded-panel border bg-white [color-scheme:light]'

export function Embeds({ embeds }: { embeds: readonly string[] }) {
  return embeds.map((embed, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: embeds are only appended or replaced as a whole
    <Embed key={`${index} ${embed}`} title={`Embedded content ${index + 1}`} embed={embed} />
  ))
}

/** In somebody else's chat nothing foreign is loaded before the reader asks: it would tell that site who is reading. */
function Embed({ title, embed }: { title: string; embed: string }) {
  const isShared = use(SharedFilesContext) !== undefined
  const [isAllowed, setIsAllowed] = useState(!isShared)
  const url = isAddress.test(embed) ? safeLink(new URL(embed, 'https://_').href) : undefined
  const allow = () => setIsAllowed(true)
  return (
    <figure className="flex flex-col gap-1">
      {url === undefined ? (
        <>
          <SandboxFrame
            key={String(isAllowed)}
            title={title}
            html={embed}
            network={isAllowed ? 'allowed' : 'blocked'}
            className={frameLook}
            isFitted
          />
          {!isAllowed && <BlockedNote onAllow={allow} />}
        </>
      ) : (
        <>
          {isAllowed ? <LinkedPage title={title} url={url} /> : <UnloadedPage url={url} onLoad={allow} />}
          {/* A link for when the frame stays empty, because of the page's own policy. */}
          <PageLink url={url} />
        </>
      )}
    </figure>
  )
}

function LinkedPage({ title, url }: { title: string; url: string }) {
  const { frame, height } = useFrameHeight()
  return (
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
  )
}

function PageLink({ url }: { url: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="flex w-fit items-center gap-1.5 text-seal-text text-sm underline underline-offset-4"
    >
      <ExternalLink aria-hidden className="size-3.5" />
      {new URL(url).host}
    </a>
  )
}

function UnloadedPage({ url, onLoad }: { url: string; onLoad: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-panel border bg-surface px-5 py-4">
      <p>This chat embeds a page from another site. Loading it lets that site know that you’re reading.</p>
      <p className="break-all font-mono text-soft text-sm">{url}</p>
      <Button size="small" onClick={onLoad}>
        Load page
      </Button>
    </div>
  )
}

function BlockedNote({ onAllow }: { onAllow: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
      <p>Requests to other sites are blocked.</p>
      <Button size="small" look="quiet" onClick={onAllow}>
        Allow requests
      </Button>
    </div>
  )
}
