/** The document title. Set once per page, not by the frames around it. */
import { useEffect } from 'react'

export function PageTitle({ children }: { children: string }) {
  useEffect(() => {
    document.title = `${children} · Chancery`
  }, [children])
  return null
}
