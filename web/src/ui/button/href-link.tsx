/** A link to a complete href, including search parameters, without reloading the app. */
import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'

/** The style of a link inside a sentence. */
export const textLink = 'font-medium text-ink underline decoration-rule underline-offset-4 hover:decoration-seal'

/** The style of a link in a list of details. */
export const subtleLink = 'underline decoration-rule underline-offset-4 hover:decoration-seal'

export function HrefLink({ href, onClick, ...rest }: ComponentProps<'a'> & { href: string }) {
  const router = useRouter()
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // Opening in another tab or window is left to the browser.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    router.history.push(href)
  }
  return <a {...rest} href={href} onClick={go} />
}
