/** What the browser's tab and history call the page. Each page says it once; frames around pages do not. */
import { useEffect } from 'react'

export function PageTitle({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · Chancery`
  }, [children])
  return null
}
