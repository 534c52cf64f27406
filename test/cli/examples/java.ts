/** How tests start programs in Java: those that end at once need neither the slower compiler nor a parallel collector. */
export const java = ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;
