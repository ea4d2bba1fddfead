/** The query of the activity tray. Code that starts background work invalidates it. */
export const activityKey = ['activity'] as const
