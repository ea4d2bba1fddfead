/** The frame of every page before sign-in: a card with the logo above it. */
import type { ReactNode } from 'react'
import { Guilloche } from '#ui/brand/guilloche.tsx'
import { Seal } from '#ui/brand/seal.tsx'
import { PageTitle } from '#ui/page/page-title.tsx'
import { ThemeButton } from '../theme-button.tsx'

interface SheetProps {
  title: string
  hint?: ReactNode
  /** Shown below the card: links to the other pages. */
  foot?: ReactNode
  /** Off where the page speaks another language than the app. */
  hasThemeButton?: boolean
  children?: ReactNode
}

export function Sheet({ title, hint, foot, hasThemeButton = true, children }: SheetProps) {
  return (
    <div className="relative flex min-h-dvh flex-col items-center overflow-hidden bg-desk px-4 pt-20 pb-10 sm:justify-center sm:pt-24">
      <PageTitle>{title}</PageTitle>
      <Guilloche
        shape="rosette"
        className="absolute top-1/2 left-1/2 size-[64rem] max-w-none -translate-x-1/2 -translate-y-1/2 text-rule opacity-60 [mask-image:radial-gradient(closest-side,black_35%,transparent)]"
      />
      {hasThemeButton && (
        <div className="absolute top-4 right-4">
          <ThemeButton />
        </div>
      )}
      <main className="relative w-full max-w-[27rem] rounded-panel border bg-surface px-6 pt-14 pb-8 shadow-sheet before:pointer-events-none before:absolute before:inset-1.5 before:rounded-[5px] before:border before:border-line sm:px-10">
        <Seal className="absolute -top-9 left-1/2 size-18 -translate-x-1/2 drop-shadow-[0_2px_3px_rgb(60_20_10/0.25)]" />
        <div className="relative">
          <p className="text-center font-serif text-faint text-md italic">Chancery</p>
          <h1 className="mt-1 text-balance text-center font-medium font-serif text-xl tracking-tight">{title}</h1>
          {hint !== undefined && <p className="mt-2 text-balance text-center text-soft">{hint}</p>}
          {children !== undefined && <div className="mt-7">{children}</div>}
        </div>
      </main>
      {foot !== undefined && (
        <footer className="relative mt-6 flex flex-col items-center gap-2 rounded-control bg-desk px-3 py-1 text-center text-soft">
          {foot}
        </footer>
      )}
    </div>
  )
}
