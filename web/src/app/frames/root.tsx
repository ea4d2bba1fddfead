/** Rendered on every page: the page itself and the toasts. */
import { Outlet } from '@tanstack/react-router'
import { Toasts } from '#ui/feedback/toasts.tsx'

export function RootFrame() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}
