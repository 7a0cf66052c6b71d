/** The first word of the second thread's command line. For anybody else it is an unknown option. */
export const SECOND_THREAD = '--second-thread';
