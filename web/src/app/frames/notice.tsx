/** A page with a single message: not found, error, or server unreachable. */
import { type ReactNode, use } from 'react'
import { ViewerContext } from '#data/viewer.ts'
import { Guilloche } from '#ui/brand/guilloche.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'

export function Notice({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }) {
  // Inside the shell, the page already has a main element.
  const Tag = use(ViewerContext) === undefined ? 'main' : 'div'
  return (
    <Tag className="flex min-h-[80dvh] flex-col items-center justify-center px-6 py-16 text-center">
      <PageTitle>{title}</PageTitle>
      <Guilloche shape="medal" className="mb-6 size-32 text-rule" />
      <h1 className="text-balance font-medium font-serif text-xl tracking-tight">{title}</h1>
      <div className="mt-2 max-w-md text-balance text-soft">{hint}</div>
      <div className="mt-6 flex gap-2">{children}</div>
    </Tag>
  )
}
