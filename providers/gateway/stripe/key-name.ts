/** Under which our keys stand in the metadata of what we made at Stripe. */
export const keyName = 'sundial_key';
