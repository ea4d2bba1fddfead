/**
 * HTML in a sandboxed frame without an origin: scripts, but no access to this page, its cookies or its storage. The
 * frame's own page has a policy of its own: under this page's, its scripts would not run.
 */
import { useEffect, useRef, useState } from 'react'

export const frameSandbox = 'allow-scripts allow-popups allow-downloads'
/** A popup or a download is a request to an address that the code chooses. */
const frames = {
  allowed: { src: '/embed.html', sandbox: frameSandbox },
  blocked: { src: '/isolated.html', sandbox: 'allow-scripts' },
} as const
const shortest = 48
const tallest = 2000

/** The height that the frame asks for. A message counts only if it comes from that frame. */
export function useFrameHeight() {
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

interface SandboxFrameProps {
  title: string
  html: string
  /** Decides which other servers the code may reach. */
  network: keyof typeof frames
  className: string
  /** Makes the frame as tall as its content. */
  isFitted?: boolean
}

export function SandboxFrame({ title, html, network, className, isFitted = false }: SandboxFrameProps) {
  const { frame, height } = useFrameHeight()
  const isSent = useRef(false)
  const send = () => {
    // Once: a frame that went elsewhere gets nothing.
    if (isSent.current) return
    isSent.current = true
    frame.current?.contentWindow?.postMessage({ html }, '*')
  }
  return (
    <iframe
      ref={frame}
      title={title}
      {...frames[network]}
      referrerPolicy="no-referrer"
      loading="lazy"
      onLoad={send}
      className={className}
      {...(isFitted && height !== undefined && { style: { height } })}
    />
  )
}
