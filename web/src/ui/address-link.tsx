/** A link to an address that a page handed down whole, with what stands behind its `?`. It does not load the app anew. */
import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** A link that stands among facts rather than in a sentence. */
export const quietLink = 'underline decoration-rule underline-offset-4 hover:decoration-seal'

export function AddressLink({ href, onClick, ...rest }: ComponentProps<'a'> & { href: string }) {
  const router = useRouter()
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // Another tab or window is the browser's business.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return <a {...rest} href={href} onClick={go} />
}
