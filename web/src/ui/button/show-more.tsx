/** A link-like button below a list or text that is rendered in parts. */
import type { ReactNode } from 'react'

export const ShowMore = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" onClick={onClick} className="font-sans text-seal-text text-sm underline underline-offset-4">
    {children}
  </button>
)
