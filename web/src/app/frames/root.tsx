/** What is on every page: the page itself, and the place where news is told. */
import { Outlet } from '@tanstack/react-router'
import { Toasts } from '#ui/toast.tsx'

export function RootFrame() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}
