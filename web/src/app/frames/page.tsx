/** The width and padding of a page inside the shell. */
import type { ReactNode } from 'react'
import { cx } from '#ui/class-names.ts'

export function Page({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) {
  return (
    <div
      className={cx('mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-8 sm:py-8', isWide ? 'max-w-6xl' : 'max-w-5xl')}
    >
      {children}
    </div>
  )
}
