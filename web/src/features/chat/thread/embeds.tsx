/**
 * Pages that a plugin put into a message. They run in a sandboxed frame without an origin: scripts, popups and
 * downloads, but no access to this page, its cookies or its storage. (Contract: Plugin events, rule 3.)
 */
import { ExternalLink } from 'lucide-react'
import { safeLink } from '../history/parts.ts'

const isAddress = /^(https?:)?\/\//

export function Embeds({ embeds }: { embeds: readonly string[] }) {
  return embeds.map((embed, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: embeds are only appended or replaced as a whole
    <Embed key={index} title={`Embedded content ${index + 1}`} embed={embed} />
  ))
}

function Embed({ title, embed }: { title: string; embed: string }) {
  const url = isAddress.test(embed) ? safeLink(new URL(embed, 'https://_').href) : undefined
  return (
    <figure className="flex flex-col gap-1">
      <iframe
        title={title}
        sandbox="allow-scripts allow-popups allow-downloads"
        referrerPolicy="no-referrer"
        loading="lazy"
        className="h-80 w-full rounded-panel border bg-white"
        {...(url === undefined ? { srcDoc: embed } : { src: url })}
      />
      {/* A link for when the frame stays empty, because of our policy or the page's. */}
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
