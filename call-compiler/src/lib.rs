//! The translator. 
