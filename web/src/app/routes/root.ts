/** The root of the route tree, and what the other routes share. */
import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import { RootFrame } from '../frames/root.tsx'

export type Search = Record<string, unknown>

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: RootFrame })
